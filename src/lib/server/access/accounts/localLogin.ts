import type { Executor } from '../../platform/database/database.ts';
import type { Account } from '../identity/identity.ts';
import type { StoredSettings } from '../security-settings/storedSettings.ts';
import type { AccessTables } from '../tables.ts';
import { nameKeyOf } from '../identity/names.ts';

/**
 * Whether members may log in with credentials of this installation (password, passkey), or by single sign-on
 * alone.
 */
export interface LocalLogin {
	/** True while every member may. */
	isOpen(): Promise<boolean>;
	/** Whether this account may. While local login is closed, only the break-glass admin may. */
	isOpenFor(
		account: Pick<Account, 'name' | 'role'>,
		within?: Executor<AccessTables>
	): Promise<boolean>;
	/** Whether local login is closed and this account is the break-glass admin. */
	restsOn(account: Pick<Account, 'name'>, within?: Executor<AccessTables>): Promise<boolean>;
}

/** @param settings the security settings, read at each use */
export function createLocalLogin(settings: StoredSettings): LocalLogin {
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
