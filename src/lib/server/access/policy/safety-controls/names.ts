export const SWITCHES = ['freeze', 'read-only'] as const;

export type SwitchName = (typeof SWITCHES)[number];
