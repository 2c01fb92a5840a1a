/** Renders a translated text with its elements. The macro `Trans` of Lingui becomes this component. */

import type { TransProps } from '@lingui/react';
import { TransNoContext } from '@lingui/react/server';
import { i18n } from '@nivida/contract/i18n';

const lingui = { i18n, _: i18n._.bind(i18n) };

/** Lingui reads the elements of a text after it has put texts in. A list it puts in as an element. */
const safeValue = (value: unknown) => (typeof value === 'string' && value.includes('<') ? [value] : value);

export function Trans({ values = {}, ...props }: TransProps) {
  const safeValues = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, safeValue(value)]));
  return <TransNoContext {...props} values={safeValues} lingui={lingui} />;
}
