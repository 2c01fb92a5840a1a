/** The meaning of a colour; `today` is the strongest red, `blue` is action and progress. The colours are in `base.css`. */
export type Tone = 'today' | 'red' | 'amber' | 'green' | 'blue' | 'gray' | 'purple';
