import { indianHour } from '@nivida/contract/format';

/** 'Good morning' before 12, 'Good afternoon' before 18, otherwise 'Good evening', by Indian time (SPEC section 2). */
export function greetingFor(now: Date): string {
  const hour = indianHour(now);
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}
