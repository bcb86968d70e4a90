/** Whether members may begin activations, and end those of others. */
import { demands } from '#lib/rpc/kdf/demands.ts';
import { kdfDefinition, type KdfMethod, type KdfParams } from '#lib/rpc/kdf/index.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import type { Access } from '#lib/rpc/method.ts';
import type { AppError } from '../../platform/errors/appError.ts';
import type { CoinServers } from '../servers/coinServers.ts';
import { firstCallOf } from '../coins/methods.ts';
import type { ActivationRow } from './activationRow.ts';

/** Decides who may begin activations, and end those of other members. */
export interface ActivationRights {
	/**
	 * Returns why a node must not be asked to activate something for this member; null when it may.
	 * @param needs the access that the call requires
	 * @param act what is attempted: a refusal is then recorded
	 * @param id id of the activation
	 */
	activationRefusal(
		person: string,
		node: string,
		needs: Access,
		act: string,
		id: string
	): Promise<AppError<CodesOf<'wallet' | 'policy'>> | null>;
	/** Reverses what was counted for a member's activation when its node was asked for nothing. */
	giveBackActivation(person: string, id: string): Promise<void>;
	/**
	 * Returns why this member must not end an activation; null when they may.
	 * @param act what is attempted: a refusal is then recorded
	 */
	endRefusal(
		person: string,
		work: { kind: 'activation'; id: string; by: string; daemon: string },
		act: string
	): Promise<AppError<CodesOf<'wallet'>> | null>;
}

/**
 * Returns why the member who began an activation may not have it begin now, null when they may: account,
 * role, rules or server lists may have changed since.
 */
export async function refusalOf(
	rights: Pick<ActivationRights, 'activationRefusal'>,
	{ isListed }: Pick<CoinServers, 'isListed'>,
	row: ActivationRow
): Promise<Failure | null> {
	const { node, method, params, begun_by: person } = row;
	if (row.unreadable === true) {
		return { kind: 'refused', type: 'RequestUnreadable', message: '', data: null };
	}
	const call = firstCallOf(method);
	const { access, servers } = demands(call, JSON.parse(params) as KdfParams<KdfMethod>);
	const listed = await Promise.all(servers.map(({ ticker, url }) => isListed(ticker, url)));
	const needs = listed.includes(false) ? 'admin' : access;
	const act = kdfDefinition(call).name;
	const no = await rights.activationRefusal(person, node, needs, act, row.id);
	if (no === null) return null;
	const closed = no.code === 'wallet.account-closed';
	const rule = 'rule' in no.params ? no.params.rule : null;
	const data = { person, closed, rule };
	return { kind: 'refused', type: 'NotAllowedNow', message: '', data };
}
