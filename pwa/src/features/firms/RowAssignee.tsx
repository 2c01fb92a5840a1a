import { t } from '@lingui/core/macro';
import type { Firm } from '@nivida/contract/firms/firms';
import { Badge } from '../../ui/display/Badge.tsx';
import { Select } from '../../ui/form/Field.tsx';
import css from './firms.module.css';
import { initialsOf, memberName } from './member-name.ts';

interface RowAssigneeProps {
  firm: Firm;
  /** Name of the row. */
  name: string;
  assigneeId: string | undefined;
  onAssign: (assigneeId: string | null) => void;
}

/** Who of the firm does a row of a checklist. */
export function RowAssignee({ firm, name, assigneeId, onAssign }: RowAssigneeProps) {
  const isMember = firm.members.some(({ id }) => id === assigneeId);
  const assignee = assigneeId === undefined ? undefined : memberName(firm, assigneeId);
  return (
    <div className={css.assignee}>
      {assignee !== undefined && (
        <Badge tone="purple">
          <abbr title={assignee}>{initialsOf(assignee)}</abbr>
        </Badge>
      )}
      <Select
        aria-label={t`Who does ${name}`}
        value={assigneeId ?? ''}
        empty={t`Who does it?`}
        options={[
          ...firm.members.map((member) => [member.id, member.name] as const),
          ...(assigneeId !== undefined && !isMember ? [[assigneeId, assignee ?? ''] as const] : []),
        ]}
        onChange={({ target }) => onAssign(target.value || null)}
      />
    </div>
  );
}
