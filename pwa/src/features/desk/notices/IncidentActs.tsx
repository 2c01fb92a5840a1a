import { t } from '@lingui/core/macro';
import { ChangedId } from '@nivida/contract/desk/notices';
import { ActButton } from '../act/ActButton.tsx';
import { BilingualFields, toTexts, useTypedTexts } from './BilingualFields.tsx';

interface IncidentActProps {
  label: string;
  title: string;
  path: string;
  done: string;
  isMain?: boolean;
}

/** An act that says something of an incident in both languages. */
function IncidentAct({ done, ...act }: IncidentActProps) {
  const [texts, change, clear] = useTypedTexts();
  return (
    <ActButton
      {...act}
      body={{ texts: toTexts(texts) }}
      schema={ChangedId}
      done={() => done}
      onDone={clear}
      usualReasons={[t`Told by monitoring`, t`Told by users`]}
    >
      <BilingualFields texts={texts} onChange={change} />
    </ActButton>
  );
}

export const OpenIncident = () => (
  <IncidentAct
    label={t`Open an incident`}
    title={t`Open an incident on the status page`}
    path="incidents"
    done={t`The status page shows it`}
  />
);

export const UpdateIncident = ({ id }: { id: number }) => (
  <IncidentAct
    label={t`Add news`}
    title={t`Say what is new in this incident`}
    path={`incidents/${id}/update`}
    done={t`The status page shows it`}
    isMain
  />
);

export const CloseIncident = ({ id }: { id: number }) => (
  <IncidentAct
    label={t`Close the incident`}
    title={t`Close this incident with a last word`}
    path={`incidents/${id}/close`}
    done={t`The incident is closed`}
  />
);
