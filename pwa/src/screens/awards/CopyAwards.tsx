import { t } from '@lingui/core/macro';
import type { AwardSummary, OfficeReference } from '@nivida/contract/awards/awards';
import { awardFactsText } from '../../features/awards/award-texts.ts';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { worksText } from '../../features/share/list-text.ts';

interface CopyAwardsProps {
  office: OfficeReference;
  awards: readonly AwardSummary[];
}

/** The button that copies the newest awards of an office as a message. */
export function CopyAwards({ office, awards }: CopyAwardsProps) {
  const works = awards.map((award) => ({
    title: award.title,
    facts: awardFactsText(award),
    isDemonstration: award.isDemonstration,
    path: `/awards/${award.id}`,
  }));
  const path = `/analysis/offices/${office.id}`;
  return (
    <CopyListButton
      makeText={(origin) =>
        worksText({ title: t`Newest awards: ${{ office: office.name }}`, works, total: works.length, path }, origin)
      }
    />
  );
}
