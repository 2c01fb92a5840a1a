import { plural, t } from '@lingui/core/macro';
import type { Boq, BoqItem } from '@nivida/contract/documents/boq';
import { isItem } from '@nivida/contract/documents/boq';
import type { TenderBoq } from '@nivida/contract/documents/tender-reading';
import { carriedRates, costOfChanges } from '@nivida/contract/rates/boq-rate-changes';
import { ratedTotal, totalAtPercent } from '@nivida/contract/rates/my-rates';
import { type ReactNode, useMemo } from 'react';
import type { RecordRow } from '../../data/device/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './Boq.module.css';
import { BoqChangesPanel } from './BoqChangesPanel.tsx';
import { BoqTable, focusRate } from './BoqTable.tsx';
import { blanksText, distanceText, paiseText } from './boq-texts.ts';
import { Candidates } from './Candidates.tsx';
import { FilledCopyPanel } from './FilledCopyPanel.tsx';
import { MyTotal } from './MyTotal.tsx';
import { PercentField } from './PercentField.tsx';
import {
  percentOfEarlierFiles,
  percentOfFile,
  percentWrite,
  type RatedBoq,
  ratesOf,
  ratesOfEarlierFiles,
  rateWrite,
  storeRates,
  storeRatesWithUndo,
} from './rate-records.ts';

interface BoqDeskProps {
  shown: TenderBoq & { boq: Boq };
  ratedBoq: RatedBoq;
  /** The owner's rates for this tender. */
  rows: readonly RecordRow<'rate'>[];
  /** SHA-256 of all present files of the tender. */
  files: ReadonlySet<string>;
  /** The estimate of the portal or the NIT; null without one. */
  estimatePaise: number | null;
  awards: ReactNode;
  isSignedIn: boolean;
}

/** Rates of an earlier file that fit unchanged items. They are taken over when the user says so. */
function CarriedRates(props: {
  boq: Boq;
  rates: ReadonlyMap<number, string>;
  earlier: Parameters<typeof carriedRates>[2];
  onTake: (found: [BoqItem, string][]) => void;
}) {
  const { boq, rates, earlier, onTake } = props;
  const carried = useMemo(() => carriedRates(boq, rates, earlier), [boq, rates, earlier]);
  if (carried.size === 0) return null;
  const found = boq.items.flatMap((item): [BoqItem, string][] => {
    const rate = carried.get(item.row);
    return rate === undefined ? [] : [[item, rate]];
  });
  return (
    <Note tone="amber" icon="change">
      <p>
        {plural(carried.size, {
          one: 'The BOQ has changed. # rate of the earlier file is for an item that is the same.',
          other: 'The BOQ has changed. # rates of the earlier file are for items that are the same.',
        })}
      </p>
      <Button onClick={() => onTake(found)}>{t`Take them over`}</Button>
    </Note>
  );
}

/** The per cent of an earlier file. It is taken over when the user says so. */
function CarriedPercent({ percent, onTake }: { percent: string; onTake: () => void }) {
  const distance = distanceText(percent);
  return (
    <Note tone="amber" icon="change">
      <p>{t`The BOQ has changed. For the earlier file you entered: ${distance}.`}</p>
      <Button onClick={onTake}>{t`Take it over`}</Button>
    </Note>
  );
}

/** The items of a BOQ with the bidder's rates and what they come to. */
export function BoqDesk({ shown, ratedBoq, rows, files, estimatePaise, awards, isSignedIn }: BoqDeskProps) {
  const { boq, summary, changes } = shown;
  const rates = useMemo(() => ratesOf(rows, ratedBoq.file), [rows, ratedBoq.file]);
  const percent = percentOfFile(rows, ratedBoq.file);
  const earlier = useMemo(() => ratesOfEarlierFiles(rows, files), [rows, files]);
  const earlierPercent = percentOfEarlierFiles(rows, files);
  const isPercentage = boq.kind === 'percentage';
  const rated = useMemo(() => (isPercentage ? null : ratedTotal(boq, rates)), [boq, rates, isPercentage]);
  const paise = isPercentage
    ? percent === null || summary.totalPaise === null
      ? null
      : totalAtPercent(summary.totalPaise, percent)
    : rated !== null && rates.size > 0
      ? rated.paise
      : null;
  const storeAll = (found: readonly [BoqItem, string][], text: string) =>
    storeRatesWithUndo(
      found.map(([item, rate]) => rateWrite(ratedBoq, item, rate)),
      found.map(([item]) => rateWrite(ratedBoq, item, rates.get(item.row) ?? null)),
      text,
    );
  const ratesText = (count: number) => plural(count, { one: '# rate entered.', other: '# rates entered.' });
  const clear = () => {
    const own = boq.items.filter(({ row }) => rates.has(row));
    storeRatesWithUndo(
      [
        ...own.map((item) => rateWrite(ratedBoq, item, null)),
        ...(percent === null ? [] : [percentWrite(ratedBoq, null)]),
      ],
      [
        ...own.map((item) => rateWrite(ratedBoq, item, rates.get(item.row) ?? null)),
        ...(percent === null ? [] : [percentWrite(ratedBoq, percent)]),
      ],
      t`Your rates of this BOQ are removed.`,
    );
  };
  const focusNextBlank = () => {
    const blanks = rated?.blanks ?? [];
    const field = document.activeElement?.closest<HTMLElement>('[data-row]');
    const present = Number(field?.dataset.row ?? 0);
    focusRate(blanks.find((row) => row > present) ?? blanks[0]);
  };
  const storePercent = (changed: string | null) => void storeRates([percentWrite(ratedBoq, changed)]);
  return (
    <>
      {changes && (
        <BoqChangesPanel changes={changes} costPaise={isPercentage ? null : costOfChanges(changes, rates, rates)} />
      )}
      {!isPercentage && (
        <CarriedRates
          boq={boq}
          rates={rates}
          earlier={earlier}
          onTake={(found) => storeAll(found, ratesText(found.length))}
        />
      )}
      {isPercentage && percent === null && earlierPercent !== null && (
        <CarriedPercent percent={earlierPercent} onTake={() => storePercent(earlierPercent)} />
      )}
      <MyTotal
        paise={paise}
        estimatePaise={estimatePaise ?? (summary.totalPaise || null)}
        basePaise={isPercentage ? summary.totalPaise : estimatePaise}
        rated={rated}
        awards={awards}
        onNextBlank={focusNextBlank}
        onClear={rates.size > 0 || percent !== null ? clear : undefined}
      >
        {isPercentage && <PercentField percent={percent} onPercent={storePercent} />}
      </MyTotal>
      <BoqTable
        items={boq.items}
        rates={isPercentage ? undefined : rates}
        onRate={(item, rate) => void storeRates([rateWrite(ratedBoq, item, rate)])}
        onPaste={(pasted) => storeAll(pasted, ratesText(pasted.length))}
        renderBelow={(item, onUse) => (
          <Candidates
            item={item}
            fileId={shown.fileId}
            file={ratedBoq.file}
            tenderId={ratedBoq.tenderId}
            onUse={onUse}
          />
        )}
      />
      {rated !== null && boq.items.filter(isItem).length > 1 && (
        <div className={css.bar}>
          <p>
            {rates.size > 0 && <strong>{paiseText(rated.paise)}</strong>}
            {rated.blanks.length > 0 && <span className="xs">{blanksText(rated.blanks.length, rated.items)}</span>}
          </p>
          {rated.blanks.length > 0 && <Button onClick={focusNextBlank}>{t`Next`}</Button>}
        </div>
      )}
      <FilledCopyPanel original={boq} rates={rates} percent={percent} isSignedIn={isSignedIn} />
    </>
  );
}
