import { t } from '@lingui/core/macro';
import type { Firm } from '@nivida/contract/firms/firms';

/** The name of a present or former member. */
export function memberName({ members, formerMembers }: Firm, id: string | undefined): string {
  const isSame = (member: { id: string }) => member.id === id;
  return (members.find(isSame) ?? formerMembers.find(isSame))?.name ?? t`A former member`;
}

/** 'RN' for Ravi Negi. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
