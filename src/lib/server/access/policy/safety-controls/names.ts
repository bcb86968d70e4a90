export const SWITCHES = ['freeze', 'read-only'] as const;

export type SafetyControlName = (typeof SWITCHES)[number];
