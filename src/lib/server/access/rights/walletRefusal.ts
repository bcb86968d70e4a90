/** Whether a member may use a wallet, and the open work that uses it. */
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { currentActor } from '../audit/context.ts';
import { nameKeyOf } from '../identity/names.ts';
import type { Role } from '../identity/roles.ts';
import { mayAccess, narrower, type Access } from '../policy/permissions.ts';
import type { EndableKind } from '../policy/wallets/tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import { gatewayOf } from './gatewayOf.ts';
import { asCall } from './measureCall.ts';
import { refusalOf } from './recordSpend.ts';
import { denialOf, type RuleDenied } from './refused.ts';

type WalletDenied = AppError<CodesOf<'wallet'>>;

/** What sending a transaction demands of a role. Each role that includes `notary` includes `broadcast`. */
export type SendAccess = Extract<Access, 'broadcast' | 'notary'>;

/** Open work, with the fields that decide who may end it. */
interface OpenWork {
	kind: EndableKind;
	id: string;
	/** Name of the account that began it, or has confirmed it since. */
	by: string;
	/** The daemon or trading node whose wallet it uses; null: any wallet of the chain. */
	daemon: string | null;
	chain?: string;
}

/**
 * Logs a refusal when it stopped an action (`what`); a page that only asks is not logged. Returns the
 * refusal.
 */
async function told<No extends WalletDenied | RuleDenied>(
	{ refusals }: RightsDependencies,
	member: string,
	place: string,
	no: No | null,
	what: string | undefined
): Promise<No | null> {
	if (no !== null && what !== undefined) {
		const reason = isAppError(no, 'policy')
			? denialOf(no)
			: ({ code: 'wallet', why: (no as WalletDenied).coded } as const);
		await refusals.refused(member, { where: 'call', why: reason.code, what, place, reason });
	}
	return no;
}

/**
 * Returns why this member must not use the wallet of this daemon; null when they may.
 * @param act what they are about to do with it; when given, a refusal is logged
 */
export async function walletRefusal(
	deps: RightsDependencies,
	member: string,
	daemon: string,
	act?: string
): Promise<WalletDenied | null> {
	return told(deps, member, daemon, await deps.wallets.refusal(member, daemon), act);
}

/**
 * Returns the role with which a member acts: their own, and within a request of theirs at most that of its
 * credential, because an API token may have a narrower role than its member.
 */
async function actingRole({ wallets }: RightsDependencies, member: string): Promise<Role> {
	const own = (await wallets.userOf(member))?.role ?? 'viewer';
	const acting = currentActor();
	const isOwnRequest = acting !== null && nameKeyOf(acting.account.name) === nameKeyOf(member);
	return isOwnRequest ? narrower(acting.role, own) : own;
}

/**
 * Returns why nothing may be built or sent from the wallet of a daemon for this member, by account, wallet
 * and role; null when it may. Work that waited and runs unattended passes no route that checks the role.
 * @param access what the role has to allow: `notary` for notary approvals, `broadcast` for the rest
 * @param act what was to be done; when given, a refusal is logged
 */
export async function sendRefusal(
	deps: RightsDependencies,
	member: string,
	daemon: string,
	access: SendAccess,
	act?: string
): Promise<WalletDenied | null> {
	const foreign = await walletRefusal(deps, member, daemon, act);
	if (foreign !== null) return foreign;
	const role = await actingRole(deps, member);
	if (mayAccess(role, access, false)) return null;
	const no = mayAccess(role, 'broadcast', false)
		? new AppError('wallet.notary-only')
		: new AppError('wallet.role-gone', { person: member });
	return told(deps, member, daemon, no, act);
}

/**
 * Returns why the current rules refuse an activation that they allowed when it began; null when they do not.
 * They judge the member without an API token: forms refuse tokens while a rule is about them, so only a rule
 * that was set since the beginning is not applied to the token.
 */
async function ruleRefusal(
	deps: RightsDependencies,
	member: string,
	account: string,
	node: string,
	ref: string
): Promise<RuleDenied | null> {
	const spend = await asCall(deps, member, node, 'activation', null, ref);
	if (spend === null) return null;
	const verdict = await deps.policies.look({ ...spend, account });
	// Approvals are for bytes, and an activation has none.
	return verdict.code === 'approve'
		? new AppError('policy.not-approvable', { rule: verdict.rule.place })
		: refusalOf(verdict);
}

/**
 * Returns why a trading node must not be asked to activate something for this member, by account, role and
 * policy rules; null when it may. An activation that waited passes no route that checks the role, and rules
 * may have been added since. Wallets of trading nodes are not granted to single members.
 * @param needs the access class that the call demands
 * @param act what was to be done; a refusal is logged
 * @param ref the id under which it was counted when it began
 */
export async function activationRefusal(
	deps: RightsDependencies,
	member: string,
	node: string,
	needs: Access,
	act: string,
	ref: string
): Promise<WalletDenied | RuleDenied | null> {
	const user = await deps.wallets.userOf(member);
	const isClosed = user === null || user.disabled;
	if (!isClosed && mayAccess(user.role, needs, false)) {
		return told(deps, member, node, await ruleRefusal(deps, member, user.id, node, ref), act);
	}
	const no = isClosed
		? new AppError('wallet.account-closed')
		: new AppError('wallet.activation-role-gone', { person: member });
	return told(deps, member, node, no, act);
}

/**
 * Returns why this member must not end, stop or take over open work; null when they may. Its current holder
 * always may; every other member needs the wallet that it uses, as for finishing it.
 * @param act what they are about to do with it; when given, a refusal is logged
 */
export async function endRefusal(
	deps: RightsDependencies,
	member: string,
	{ kind, id, by, daemon, chain }: OpenWork,
	act?: string
): Promise<WalletDenied | null> {
	const holder = (await deps.wallets.holderOf(kind, id)) ?? by;
	if (nameKeyOf(holder) === nameKeyOf(member)) return null;
	const wallet =
		daemon ?? (await gatewayOf(deps, member)).daemonFor(chain ?? '', 'wallet')?.id ?? chain ?? '';
	const no = await deps.wallets.refusal(member, wallet);
	if (no === null) return null;
	const held =
		kind === 'activation'
			? new AppError('wallet.activation-of-another', { holder })
			: new AppError('wallet.work-of-another', {
					holder,
					daemon: wallet,
					why: no.code === 'wallet.account-closed' ? 'account-closed' : 'not-granted'
				});
	return told(deps, member, wallet, held, act);
}
