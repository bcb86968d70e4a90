import type { Executor } from '../../platform/database/database.ts';
import type { Account } from '../policy/identity.ts';
import type { SettingValues } from '../security-settings/settings.ts';
import type { AccessTables } from '../tables.ts';
import { nameKeyOf } from './names.ts';

/** Whether members log in here by what is theirs here, or by single sign-on alone. */
export interface LocalLogin {
	/** True while everybody may. */
	isOpen(): Promise<boolean>;
	/** Whether this account may: when it is closed, only the admin who is named for emergencies. */
	isOpenFor(
		account: Pick<Account, 'name' | 'role'>,
		within?: Executor<AccessTables>
	): Promise<boolean>;
	/** Whether it is closed, and this is the name for emergencies. */
	restsOn(account: Pick<Account, 'name'>, within?: Executor<AccessTables>): Promise<boolean>;
}

/** @param settings what admins decided, as it holds now */
export function createLocalLogin(settings: {
	values(within?: Executor<AccessTables>): Promise<SettingValues>;
}): LocalLogin {
	const isOpen = async (within?: Executor<AccessTables>): Promise<boolean> =>
		(await settings.values(within))['local-login'] === 'open';
	const restsOn: LocalLogin['restsOn'] = async ({ name }, within) => {
		const { 'local-login': state, 'break-glass-admin': named } = await settings.values(within);
		return state !== 'open' && named !== '' && nameKeyOf(name) === nameKeyOf(named);
	};
	return {
		isOpen: () => isOpen(),
		restsOn,
		async isOpenFor(account, within) {
			if (await isOpen(within)) return true;
			return account.role === 'admin' && restsOn(account, within);
		}
	};
}
