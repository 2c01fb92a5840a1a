import { t } from '@lingui/core/macro';
import { typedRatePercent } from '@nivida/contract/rates/my-rates';
import { useState } from 'react';
import { Field, Input, Select } from '../../ui/form/Field.tsx';
import css from './Boq.module.css';

interface PercentFieldProps {
  /** The stored per cent, negative below; null without one. */
  percent: string | null;
  onPercent: (percent: string | null) => void;
}

const sizeOf = (percent: string | null): string => percent?.replace('-', '') ?? '';

/** The per cent of a percentage BOQ: how far above or below the office's rates. */
export function PercentField({ percent, onPercent }: PercentFieldProps) {
  const [side, setSide] = useState<'below' | 'above'>();
  const [typed, setTyped] = useState<string>();
  const shownSide = side ?? (percent !== null && !percent.startsWith('-') && percent !== '0' ? 'above' : 'below');
  const read = (text: string, to: 'below' | 'above') => {
    const size = typedRatePercent(text.replace(/[-−+]/g, ''));
    return typeof size === 'string' && size !== '0' && to === 'below' ? typedRatePercent(`-${size}`) : size;
  };
  const store = (text: string, to: 'below' | 'above') => {
    const signed = read(text, to);
    if (signed !== undefined) onPercent(signed);
  };
  const isWrong = typed !== undefined && read(typed, shownSide) === undefined;
  return (
    <Field label={t`My per cent`} error={isWrong ? t`Write per cent as a number, such as 4.25` : undefined}>
      {(control) => (
        <div className={css.percent}>
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            value={typed ?? sizeOf(percent)}
            onChange={({ target }) => {
              const isAbove = target.value.includes('+');
              const isBelow = /[-−]/.test(target.value);
              const to = isAbove ? 'above' : isBelow ? 'below' : shownSide;
              setSide(to);
              setTyped(target.value.replace(/[-−+]/g, ''));
              store(target.value, to);
            }}
            onBlur={() => !isWrong && setTyped(undefined)}
          />
          <Select
            aria-label={t`Above or below`}
            value={shownSide}
            options={[
              ['below', t({ message: 'below', context: 'the office’s rates' })],
              ['above', t({ message: 'above', context: 'the office’s rates' })],
            ]}
            onChange={({ target }) => {
              const to = target.value === 'above' ? 'above' : 'below';
              setSide(to);
              store(typed ?? sizeOf(percent), to);
            }}
          />
        </div>
      )}
    </Field>
  );
}
