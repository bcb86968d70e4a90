/** Conditions that changed settings must meet. */
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { nameKeyOf } from '../identity/names.ts';
import { NO_PASSWORD } from './tables.ts';
import { enabledAdmins } from '../policy/rules/voters.ts';
import type { AccessTables } from '../tables.ts';
import type { SettingValues } from '../security-settings/settings.ts';

/**
 * Refuses settings that would lock all admins out: local login can be closed only while the break-glass admin
 * can log in with a password, and changes cannot need more approvals than other admins could give.
 * @throws {AppError} `sign-on.break-glass-missing`, `change.too-few-admins`
 */
export async function checkSettings(
	trx: Executor<AccessTables>,
	before: SettingValues,
	wanted: Partial<SettingValues>
): Promise<void> {
	const values = { ...before, ...wanted };
	const isChanged = Object.keys(wanted).some(
		(name) => values[name as keyof SettingValues] !== before[name as keyof SettingValues]
	);
	if (!isChanged) return;
	if (values['change-approvals'] > before['change-approvals']) {
		await refuseTooFew(trx, values['change-approvals']);
	}
	if (values['local-login'] === 'open') return;
	const admin = await trx
		.selectFrom('accounts')
		.select('id')
		.where('name_key', '=', nameKeyOf(values['break-glass-admin']))
		.where('role', '=', 'admin')
		.where('disabled_at', 'is', null)
		.where('password_hash', '!=', NO_PASSWORD)
		.executeTakeFirst();
	if (!admin) throw new AppError('sign-on.break-glass-missing');
}

/**
 * Refuses a number of approvals that the other admins could not give.
 * @throws {AppError} `change.too-few-admins`
 */
async function refuseTooFew(trx: Executor<AccessTables>, needed: number): Promise<void> {
	const admins = await enabledAdmins(trx);
	if (admins < needed + 1) throw new AppError('change.too-few-admins', { needed, admins });
}
