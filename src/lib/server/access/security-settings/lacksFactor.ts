/** What the settings of second factors close to a member who has none. */
import type { Role } from '../policy/roles.ts';
import type { SettingValues } from './settings.ts';

/** Who has to have a second factor. */
export type FactorSettings = Pick<SettingValues, `factor-${Role | 'tokens'}`>;

/** Whether a member lacks the second factor that their role requires: their sessions open its set-up alone. */
export const lacksFactor = (values: FactorSettings, role: Role, hasFactor: boolean): boolean =>
	!hasFactor && values[`factor-${role}`] === 'required';

/** Whether the API tokens of such a member are refused for it. */
export const refusesTokens = (values: FactorSettings, role: Role, hasFactor: boolean): boolean =>
	lacksFactor(values, role, hasFactor) && values['factor-tokens'] !== 'accepted';
