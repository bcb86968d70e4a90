import type { Role } from '../../identity/roles.ts';
import type { WalletChoice } from '../../policy/wallets/choice.ts';
import type { LinkDependencies } from './dependencies.ts';
import { walletsOf } from './storedLink.ts';
import { working } from './workingLink.ts';

/** What the page behind a link may show before it is used. */
type LinkFacts =
	| {
			kind: 'invitation';
			role: Role;
			name: string | null;
			wallets: WalletChoice;
			/** Name of the admin who invited; null for the server's own command line. */
			by: string | null;
			expiresAt: number;
	  }
	| { kind: 'reset'; name: string; expiresAt: number };

/** Returns what a link is for; null when it was used, has expired, was revoked or never existed. */
export async function look(deps: LinkDependencies, token: string): Promise<LinkFacts | null> {
	const invitation = await working(deps, deps.db, 'invitation', { token });
	if (invitation?.role) {
		const { role, name, wallets, maker_name, expires_at } = invitation;
		return {
			kind: 'invitation',
			role,
			name,
			wallets: walletsOf(wallets),
			by: maker_name,
			expiresAt: Number(expires_at)
		};
	}
	const reset = await working(deps, deps.db, 'reset', { token });
	if (!reset?.person_name) return null;
	return { kind: 'reset', name: reset.person_name, expiresAt: Number(reset.expires_at) };
}

/** Returns the id of an invitation that works now; null where the text is not one's token. */
export async function invitationId(deps: LinkDependencies, token: string): Promise<string | null> {
	return (await working(deps, deps.db, 'invitation', { token }))?.id ?? null;
}
