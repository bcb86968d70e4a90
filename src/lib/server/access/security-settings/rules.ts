/** What settings must fit together with. */
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { nameKeyOf } from '../accounts/names.ts';
import { NO_PASSWORD } from '../accounts/tables.ts';
import type { AccessTables } from '../tables.ts';
import type { SettingValues } from './settings.ts';

/**
 * Refuses settings that would lock everybody out: local login is closed only while the admin who is named for
 * emergencies can log in with a password.
 * @throws {AppError} `sign-on.break-glass-missing`
 */
export async function checkSettings(
	trx: Executor<AccessTables>,
	values: SettingValues
): Promise<void> {
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
