/** What the settings of second factors deny to a member who has none. */
import type { Role } from '../identity/roles.ts';
import type { SettingValues } from './settings.ts';

/** The settings of who must have a second factor. */
export type FactorSettings = Pick<SettingValues, `factor-${Role | 'tokens'}`>;

/**
 * Whether a member lacks the second factor that their role requires. Their sessions then open only its
 * set-up.
 */
export const lacksFactor = (values: FactorSettings, role: Role, hasFactor: boolean): boolean =>
	!hasFactor && values[`factor-${role}`] === 'required';

/** Whether the API tokens of such a member are refused. */
export const refusesTokens = (values: FactorSettings, role: Role, hasFactor: boolean): boolean =>
	lacksFactor(values, role, hasFactor) && values['factor-tokens'] !== 'accepted';
