import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { currentTime } from '../../data/clock.ts';
import { type Mutation, useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { type ExportFormat, exportData } from './export.ts';

function ExportButton({ format, action }: { format: ExportFormat; action: Mutation }) {
  return (
    <Button busy={action.isBusy} onClick={() => void action.run(() => exportData(format, currentTime()))}>
      <Icon name="download" /> <span className="sr">{t`Download`}</span> {format.toUpperCase()}
    </Button>
  );
}

/** Saves all data that the server stores about the user as a file. */
export function ExportData() {
  const json = useMutation(t`Failed to export your data`);
  const csv = useMutation(t`Failed to export your data`);
  return (
    <Panel stack aria-labelledby="export">
      <h2 id="export">{t`Export my data`}</h2>
      <p className="s muted">
        <Trans>
          Everything we store about you: profile, company, bookmarks, searches, alerts, payments, sessions. JSON for
          programs, CSV for a spreadsheet.
        </Trans>
      </p>
      <div className="row">
        <ExportButton format="json" action={json} />
        <ExportButton format="csv" action={csv} />
      </div>
      <ErrorText text={json.problem} />
      <ErrorText text={csv.problem} />
    </Panel>
  );
}
