import { useCallback, useEffect, useState } from 'react';
import { useLiveRows } from '../../data/device/live-query.ts';
import type { ShownSupport } from '../../data/support/support-rows.ts';

const loadSupport = async () => (await import('../../data/support/support-rows.ts')).readSupport;

interface SupportState {
  /** The threads on this device. Undefined while they are read. */
  support: ShownSupport | undefined;
  /** The device's database failed. */
  deviceError: unknown;
  /** Why the server's threads could not be received. */
  error: unknown;
  /** The server was asked and has not answered. */
  isReceiving: boolean;
  reload: () => void;
}

/** The user's threads: those on this device at once, then the server's. */
export function useSupport(): SupportState {
  const { rows, error: deviceError } = useLiveRows(loadSupport);
  const [exchange, setExchange] = useState<{ isReceiving: boolean; error?: unknown }>({ isReceiving: true });
  const reload = useCallback(() => {
    setExchange({ isReceiving: true });
    import('../../data/support/exchange-support.ts')
      .then(({ exchangeSupport }) => exchangeSupport())
      .then(
        () => setExchange({ isReceiving: false }),
        (error: unknown) => setExchange({ isReceiving: false, error }),
      );
  }, []);
  useEffect(() => {
    reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [reload]);
  return { support: rows, deviceError, ...exchange, error: exchange.error, reload };
}
