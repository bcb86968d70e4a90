/** What a call asks of its caller: the one form in which the policy sees calls of daemons and trading nodes. */
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { changesNothing, type Access } from '#lib/rpc/method.ts';
import { demands, type NamedServer } from '#lib/rpc/kdf/demands.ts';
import { kdfDefinition, type KdfMethod, type KdfParams } from '#lib/rpc/kdf/index.ts';
import { hashTypeRefusal } from '../../../chains/daemon/signatures.ts';
import type { DaemonInfo } from '../../../chains/daemon/types.ts';
import type { AuditValue } from '../../../platform/audit-trail/entry.ts';
import { callFacts, messageFacts } from '../../audit/callFacts.ts';
import type { Rights } from '../limits/rights.ts';
import type { MeasuredSpend } from '../limits/rights/spend.ts';
import type { CalledMethod } from './permitted.ts';

/** A longer path is none of a wallet. */
const LONGEST_PATH = 80;

/** A task of a trading node that a call is about, and what it does to it. */
export interface TaskUse {
	id: number;
	/** The way to activate whose task it would be. */
	method: string;
	/** `end`: it ends the task, or makes the node forget its result; `answer`: it answers what a device asks for. */
	use: 'end' | 'answer';
}

export interface CallDemands {
	/** Id of the daemon or trading node. */
	place: string;
	method: CalledMethod;
	/** The access class with these parameters: the method's own, or a higher one. */
	access: Access;
	signs: boolean;
	/** Servers to which the node would connect because the caller says so. */
	servers: readonly NamedServer[];
	/** The daemon whose wallet it uses; null where wallets are not given to single people. */
	wallet: string | null;
	/** Why what it asks to sign would not be covered whole; null for nothing. */
	partlySigned: ReturnType<typeof hashTypeRefusal>;
	/** The task that it ends or answers, which may be another member's work; null for none. */
	task: TaskUse | null;
	/** It goes on record although it changes nothing, as far as is known. */
	onRecord?: true;
	/** What the record says of it; read only where there is something to record. */
	facts: () => Readonly<Record<string, AuditValue>>;
	/**
	 * What it takes from the person's limits; null for nothing. Whatever is asked of a daemon for it, nothing is
	 * counted yet.
	 * @throws {AppError} `limit`
	 */
	measure: (rights: Pick<Rights, 'measureCall' | 'measureSignature'>, person: string) => Measuring;
}

type Measuring = Promise<MeasuredSpend | null>;

/** @param params JSON texts */
export function daemonDemands(
	daemon: DaemonInfo,
	method: DaemonMethod,
	params: readonly string[]
): CallDemands {
	const { access, signs } = daemonMethods[method];
	return {
		place: daemon.id,
		method: { name: method, access },
		access,
		signs,
		servers: [],
		wallet: daemon.id,
		partlySigned: hashTypeRefusal(method, params),
		task: null,
		facts: () => callFacts(method, params),
		measure: (rights, person) => rights.measureCall(person, daemon, { method, params })
	};
}

/** A method that nothing is known of but the class that the configuration gives it. */
export const furtherDemands = (
	daemon: DaemonInfo,
	name: string,
	access: FurtherAccess
): CallDemands => ({
	place: daemon.id,
	method: { name, access },
	access,
	signs: false,
	servers: [],
	wallet: null,
	partlySigned: null,
	task: null,
	onRecord: true,
	facts: () => ({}),
	measure: () => Promise.resolve(null)
});

type Facts = ReturnType<CallDemands['facts']>;

/** What is signed, and by which address of the wallet. */
function signedFacts({ message, address }: KdfParams<'sign_message'>): Facts {
	const path =
		address === undefined
			? null
			: 'derivation_path' in address
				? address.derivation_path.slice(0, LONGEST_PATH)
				: `${address.account_id}/${address.chain}/${address.address_id}`;
	return { ...messageFacts(message), ...(path === null ? {} : { path }) };
}

/** A look that leaves the result where it is does nothing to a task; of what is never made, parameters may be anything. */
function taskUse(name: string, access: Access, native: unknown): TaskUse | null {
	const match = /^(task::\w+)::(status|cancel|user_action)$/.exec(name);
	if (match === null || access === 'never' || changesNothing(access)) return null;
	const [, method = '', verb] = match;
	const { task_id: id } = native as { task_id: number };
	return { id, method, use: verb === 'user_action' ? 'answer' : 'end' };
}

/**
 * Parameters may hold a PIN: of them only the coin is kept, and which message is signed.
 * @param native as the registry reads them
 */
export function kdfDemands<M extends KdfMethod>(
	node: string,
	method: M,
	native: KdfParams<M>
): CallDemands {
	const { name, access, signs } = kdfDefinition(method);
	const more = demands(method, native);
	const given = (native ?? {}) as { readonly ticker?: string; readonly coin?: string };
	const coin = given.ticker ?? given.coin;
	return {
		place: node,
		method: { name, access },
		access: more.access,
		signs,
		servers: more.servers,
		wallet: null,
		partlySigned: null,
		task: taskUse(name, more.access, native),
		facts: () => ({
			...(coin === undefined ? {} : { coin }),
			...(method === 'sign_message' ? signedFacts(native as KdfParams<'sign_message'>) : {})
		}),
		measure: async (rights, person) =>
			more.access === 'sign' ? rights.measureSignature(person, node, coin ?? '') : null
	};
}
