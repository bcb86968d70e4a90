export const SAFETY_CONTROLS = ['freeze', 'read-only'] as const;

export type SafetyControlName = (typeof SAFETY_CONTROLS)[number];
