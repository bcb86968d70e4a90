import type { Account } from '../policy/identity.ts';
import type { SettingValues } from '../security-settings/settings.ts';
import { nameKeyOf } from './names.ts';

/** Whether members log in here by what is theirs here, or by single sign-on alone. */
export interface LocalLogin {
	/** True while everybody may. */
	isOpen(): Promise<boolean>;
	/** Whether this account may: when it is closed, only the admin who is named for emergencies. */
	isOpenFor(account: Pick<Account, 'name' | 'role'>): Promise<boolean>;
}

/** @param settings what admins decided, as it holds now */
export function createLocalLogin(settings: { values(): Promise<SettingValues> }): LocalLogin {
	return {
		isOpen: async () => (await settings.values())['local-login'] === 'open',
		async isOpenFor({ name, role }) {
			const { 'local-login': state, 'break-glass-admin': named } = await settings.values();
			if (state === 'open') return true;
			return role === 'admin' && named !== '' && nameKeyOf(name) === nameKeyOf(named);
		}
	};
}
