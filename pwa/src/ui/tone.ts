/** What a colour says; `today` is red at its heaviest, `blue` is action and progress. The colours are in `base.css`. */
export type Tone = 'today' | 'red' | 'amber' | 'green' | 'blue' | 'gray' | 'purple';
