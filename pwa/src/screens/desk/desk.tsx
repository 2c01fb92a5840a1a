/** The desk of the staff: its frame, its screens and its texts. Nothing else loads this file. */

import type { Messages } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { addTexts } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { type ComponentType, useEffect, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { errorMessage } from '../../data/server/api.ts';
import { useOwner } from '../../data/session.ts';
import { addTextsPart } from '../../data/texts/language.ts';
import { refreshDeskMe, useDeskMe, useDeskMeRefresh } from '../../features/desk/data/desk-me.ts';
import { DeskLayout } from '../../features/desk/frame/DeskLayout.tsx';
import { DeskGate } from '../../features/desk/gate/DeskGate.tsx';
import { leaveGate, openGate, useGate } from '../../features/desk/gate/gate.ts';
import { LanguageSwitch } from '../../features/layout/LanguageSwitch.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { ScreenLoading } from '../../ui/feedback/ScreenLoading.tsx';
import { RequireSession } from '../account/SignedInOnly.tsx';
import { PublicFrame } from '../frame/PublicFrame.tsx';
import { NotFound } from '../NotFound.tsx';

const TEXTS = import.meta.glob('../../../../texts/*.po', { query: '?part=desk' }) as Record<
  string,
  () => Promise<{ messages: Messages }>
>;

async function loadTextsIn(language: Language): Promise<void> {
  const load = TEXTS[`../../../../texts/${language}.po`];
  if (load) addTexts(language, (await load()).messages);
}

/** Loads the desk's texts in the present language. */
export const loadDeskTexts = (): Promise<void> => addTextsPart(loadTextsIn);

const SCREENS = import.meta.glob<Record<string, ComponentType>>('./*.screen.tsx', { eager: true });

/** The component of a page of the desk by the name in the table of pages, for example `desk/DeskOrders`. */
export function deskScreen(screen: string): ComponentType {
  const name = screen.replace('desk/', '');
  const Screen = SCREENS[`./${name}.screen.tsx`]?.[name];
  if (!Screen) throw new Error(`the screen ${screen} is missing`);
  return () => (useDeskMe().isStranger ? <NotFound /> : <Screen />);
}

/** The gate while the desk is closed, or while a call needs a passkey that was shown just now. */
function Gate({ isDeskOpen }: { isDeskOpen: boolean }) {
  const owner = useOwner();
  const question = useGate((state) => state.question);
  // Calls must not wait for a gate that is no longer shown.
  useEffect(() => leaveGate, []);
  useEffect(() => {
    if (question !== null) void refreshDeskMe(owner);
  }, [owner, question]);
  if (isDeskOpen && question === null) return null;
  return (
    <DeskGate
      question={question ?? t`Show your passkey to open the desk`}
      onShown={async () => {
        await refreshDeskMe(owner);
        openGate();
      }}
      onCancel={isDeskOpen ? leaveGate : undefined}
    />
  );
}

/** The desk for its staff. For other users it is an address without a page. */
function StaffFrame() {
  const owner = useOwner();
  useDeskMeRefresh(owner);
  const { me, isStranger, error } = useDeskMe();
  const isDeskOpen = me?.isOpen === true;
  // Once open, a screen stays below the gate with all that was typed.
  const [hasOpened, setHasOpened] = useState(false);
  if (isDeskOpen && !hasOpened) setHasOpened(true);
  if (isStranger) return <PublicFrame />;
  if (!me)
    return error === undefined ? (
      <ScreenLoading />
    ) : (
      <main className="page">
        <h1 className="sr">{t`Desk`}</h1>
        <ListError
          text={errorMessage(error, t`The desk could not be opened`)}
          offlineText={t`You are offline. The desk needs a connection.`}
          age={null}
          onRetry={() => void refreshDeskMe(owner)}
        />
      </main>
    );
  return (
    <DeskLayout me={me} language={<LanguageSwitch />}>
      {hasOpened && <Outlet />}
      <Gate isDeskOpen={isDeskOpen} />
    </DeskLayout>
  );
}

/** The frame of `/desk`. */
export const DeskFrame = () => (
  <RequireSession>
    <StaffFrame />
  </RequireSession>
);
