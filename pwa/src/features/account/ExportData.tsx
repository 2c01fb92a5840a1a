import { currentTime } from '../../data/clock.ts';
import { type Press, usePress } from '../../data/press.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { type ExportFormat, exportData } from './export.ts';

function ExportButton({ format, action }: { format: ExportFormat; action: Press }) {
  return (
    <Button busy={action.isBusy} onClick={() => void action.run(() => exportData(format, currentTime()))}>
      <Icon name="download" /> <span className="sr">Download</span> {format.toUpperCase()}
    </Button>
  );
}

/** Everything that the server keeps about the user, as a file. */
export function ExportData() {
  const json = usePress('Failed to export your data');
  const csv = usePress('Failed to export your data');
  return (
    <Sheet stack aria-labelledby="export">
      <h2 id="export">Export my data</h2>
      <p className="s muted">
        Everything we keep about you: profile, company, bookmarks, searches, alerts, payments, sessions. JSON for
        programs, CSV for a spreadsheet.
      </p>
      <div className="row">
        <ExportButton format="json" action={json} />
        <ExportButton format="csv" action={csv} />
      </div>
      <Problem text={json.problem} />
      <Problem text={csv.problem} />
    </Sheet>
  );
}
