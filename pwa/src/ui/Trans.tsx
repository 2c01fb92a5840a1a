/** Renders a translated text with its elements. The macro `Trans` of Lingui becomes this component. */

import type { TransProps } from '@lingui/react';
import { TransNoContext } from '@lingui/react/server';
import { i18n } from '@nivida/contract/i18n';

const lingui = { i18n, _: i18n._.bind(i18n) };

export const Trans = (props: TransProps) => <TransNoContext {...props} lingui={lingui} />;
