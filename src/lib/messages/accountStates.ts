/** States of accounts in a backup and before its restore. They are stored; their text is rendered when shown. */

/** What an account no longer had, or had replaced, when it was last known. */
export type LostAccess =
	/** Another password, or another second factor. */
	| { what: 'password' | 'other-factor' }
	/** A second factor or an identity of single sign-on that the backup has. */
	| { what: 'factor' | 'identity' }
	/** The right to spend from a wallet, by the id of its daemon. */
	| { what: 'wallet'; wallet: string };

export type AccountState =
	{ account: 'none' } | { role: string; enabled: boolean; lost: LostAccess | null };

/** A state as a column has it; early releases stored its words. */
export type StoredAccountState = AccountState | string;

function lostWords(lost: LostAccess): string {
	switch (lost.what) {
		case 'password':
			return 'another password';
		case 'other-factor':
			return 'another second factor';
		case 'factor':
			return 'without a second factor of the backup';
		case 'identity':
			return 'without a single sign-on identity of the backup';
		case 'wallet':
			return `without the wallet ${lost.wallet}`;
	}
}

export function accountStateWords(state: StoredAccountState): string {
	if (typeof state === 'string') return state;
	if ('account' in state) return 'no such account';
	const { role, enabled, lost } = state;
	const words = [role, enabled ? 'enabled' : 'disabled'];
	return [...words, ...(lost === null ? [] : [lostWords(lost)])].join(', ');
}
