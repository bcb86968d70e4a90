import { isJsonObject, JsonNumber, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import type { KdfContext, V2Method } from './context.ts';
import {
	banned,
	invalidRequest,
	LegacyError,
	KdfError,
	noSuchMethod,
	userpassNotSet
} from './error.ts';
import { evmMethods } from './evm/methods.ts';
import { hdMethods } from './hdTasks.ts';
import { legacyMethods, PUBLIC_METHODS } from './legacy/methods.ts';
import type { PasswordGate } from './passwords.ts';
import { actionRequest, cancelRequest, statusRequest } from './requests.ts';
import {
	anything,
	fallback,
	optional,
	required,
	SerdeError,
	string,
	struct,
	usize,
	variant
} from './serde.ts';
import { sessionMethods } from './sessionMethods.ts';
import { signingMethods } from './signing.ts';
import { standaloneInits } from './standalone.ts';
import { streamMethods } from './streamMethods.ts';
import { trezorMethods } from './trezor.ts';
import { walletMethods } from './walletMethods.ts';
import { shieldedMethods } from './zcoin.ts';

/** An HTTP response. */
export interface Answer {
	status: number;
	body: JsonValue;
	/** Text of a body that is not JSON; within a batch it is replaced by null. */
	plain?: string;
	/** Set only by some methods. */
	contentType?: string;
}

/** A body that makes the node abort the request: plain text, without any header of its own. */
export class Aborted extends Error {
	override readonly name = 'Aborted';

	constructor() {
		super('The RPC service aborted without responding.');
	}
}

const FAMILIES = [
	'enable_bch',
	'enable_utxo',
	'enable_qtum',
	'enable_eth',
	'enable_erc20',
	'enable_z_coin',
	'init_trezor',
	'account_balance',
	'create_new_account',
	'get_new_address',
	'scan_for_new_addresses'
] as const;
/** Families whose tasks never ask the user. */
const SILENT: readonly string[] = ['account_balance', 'scan_for_new_addresses'];

const status =
	(family: string): V2Method =>
	({ tasks }, params) => {
		const { task_id, forget_if_finished } = statusRequest(params);
		return tasks.status(family, task_id, forget_if_finished);
	};

const userAction =
	(family: string): V2Method =>
	({ tasks, rules }, params) => {
		const { task_id, user_action } = actionRequest(rules)(params);
		tasks.action(family, task_id, user_action);
		return 'success';
	};

const cancel =
	(family: string): V2Method =>
	({ tasks }, params) => {
		tasks.cancel(family, cancelRequest(params).task_id);
		return 'success';
	};

const methods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	...standaloneInits,
	...trezorMethods,
	...walletMethods,
	...sessionMethods,
	...signingMethods,
	...evmMethods,
	...hdMethods,
	...shieldedMethods,
	...streamMethods,
	...FAMILIES.flatMap((family): [string, V2Method][] => [
		[`task::${family}::status`, status(family)],
		...(SILENT.includes(family)
			? []
			: [[`task::${family}::user_action`, userAction(family)] as [string, V2Method]]),
		[`task::${family}::cancel`, cancel(family)]
	])
]);

const mmrpcVersion = variant('2.0');

const request = struct(
	'MmRpcRequest',
	{
		mmrpc: required(anything),
		userpass: optional(string),
		method: required(string),
		params: fallback(anything, null),
		id: optional(usize)
	},
	{ deny: true }
);

const idOf = (body: JsonValue): JsonValue => {
	const id = isJsonObject(body) ? body['id'] : undefined;
	return id instanceof JsonNumber && /^\d+$/.test(id.source) ? id : null;
};

const failed = (error: KdfError, id: JsonValue): Answer => ({
	status: error.status,
	body: { mmrpc: '2.0', ...error.members(), id }
});

/** Checks the password, finds the method and runs it. */
export class Dispatcher {
	readonly #context: KdfContext;
	readonly #gate: PasswordGate;

	constructor(context: KdfContext, gate: PasswordGate) {
		this.#context = context;
		this.#gate = gate;
	}

	/** Handles a body, single or batch. @throws {Aborted} */
	async answer(body: JsonValue, peer: string): Promise<Answer> {
		if (!Array.isArray(body)) return this.#one(body, peer);
		const requests = body as readonly JsonValue[];
		if (!requests.every(isJsonObject)) throw new Aborted();
		const answers = await Promise.all(requests.map((one) => this.#one(one, peer)));
		return { status: 200, body: answers.map((answer) => answer.body) };
	}

	async #one(body: JsonValue, peer: string): Promise<Answer> {
		if (body !== null && !isJsonObject(body)) throw new Aborted();
		const members = body ?? {};
		if ((members['mmrpc'] ?? null) === null) {
			const answer = await this.#legacy(members, peer);
			return answer ?? this.#v2({ ...members, mmrpc: '2.0' }, peer, true);
		}
		return this.#v2(members, peer, false);
	}

	/** Handles a legacy call; null when the method is not a legacy one. */
	async #legacy(
		body: { readonly [name: string]: JsonValue },
		peer: string
	): Promise<Answer | null> {
		const { method, userpass } = body;
		const place = this.#context.rules.build === '3.0.0' ? 'rpc:198] ' : 'rpc:195] ';
		const refuse = (text: string): Answer => ({ status: 500, body: { error: place + text } });
		if (this.#gate.isBanned(peer)) {
			return refuse('Selected method is not allowed: Your IP is banned.');
		}
		if (typeof method !== 'string') return null;
		if (!PUBLIC_METHODS.has(method)) {
			if (typeof userpass !== 'string') return refuse('RPC call failed: Userpass is not set!');
			const left = this.#gate.check(userpass, peer);
			if (left !== null) {
				const line = left === 9 ? 56 : 50;
				return refuse(
					`RPC call failed: rate_limiter:${line}] Userpass is invalid! - Rate Limit attempts left: ${left}`
				);
			}
		}
		if (method === 'help') return this.#help();
		const run = legacyMethods.get(method);
		if (!run) return null;
		try {
			const named = method === 'version' || method === 'metrics';
			return {
				status: 200,
				body: await run(this.#context, body),
				...(named ? { contentType: 'application/json' } : {})
			};
		} catch (cause) {
			if (!(cause instanceof LegacyError)) throw cause;
			return cause.more
				? { status: 500, body: { error: cause.message, ...cause.more } }
				: refuse(`RPC call failed: ${cause.message}`);
		}
	}

	/** JSON since release 2.6. */
	#help(): Answer {
		const contentType = 'application/json';
		const isJson = this.#context.rules.build === '3.0.0';
		return isJson
			? { status: 200, body: { methods: [...NAMES] }, contentType }
			: { status: 200, body: null, plain: `${NAMES.join('\n')}\n`, contentType };
	}

	/** Handles a version 2 call. @param admitted the legacy handler has already checked the password */
	async #v2(
		body: { readonly [name: string]: JsonValue },
		peer: string,
		admitted: boolean
	): Promise<Answer> {
		const id = idOf(body);
		try {
			this.#checkVersion(body);
			const { method, userpass, params } = this.#parsed(body);
			if (!admitted) this.#admit(method, userpass, peer);
			const run = methods.get(method);
			if (!run || this.#isUnknownHere(method)) throw noSuchMethod();
			return { status: 200, body: { mmrpc: '2.0', result: await run(this.#context, params), id } };
		} catch (cause) {
			if (cause instanceof KdfError) return failed(cause, id);
			if (cause instanceof SerdeError) return failed(invalidRequest(cause.message), id);
			throw cause;
		}
	}

	/** The interface document has no methods named after hardware brands, and no events. */
	#isUnknownHere(method: string): boolean {
		return this.#context.rules.seedForms && /trezor|^stream::/.test(method);
	}

	#checkVersion(body: { readonly [name: string]: JsonValue }): void {
		try {
			mmrpcVersion(body['mmrpc']!);
		} catch (cause) {
			if (!(cause instanceof SerdeError)) throw cause;
			throw new KdfError(
				400,
				'InvalidMmRpcVersion',
				`Error parsing mmrpc version: ${cause.message}`,
				cause.message,
				{ path: 'rpc', trace: 'rpc:207]' }
			);
		}
	}

	#parsed(body: { readonly [name: string]: JsonValue }) {
		try {
			return request(body);
		} catch (cause) {
			if (!(cause instanceof SerdeError)) throw cause;
			throw invalidRequest(cause.message, 102);
		}
	}

	#admit(method: string, userpass: string | undefined, peer: string): void {
		if (this.#gate.isBanned(peer)) throw banned();
		if (PUBLIC_METHODS.has(method)) return;
		if (userpass === undefined) throw userpassNotSet();
		const left = this.#gate.check(userpass, peer);
		if (left === null) return;
		throw new KdfError(
			403,
			'UserpassIsInvalid',
			`Userpass is invalid! - Rate Limit attempts left: ${left}`,
			{ error_type: 'NbAttemptsLeft', error_data: new JsonNumber(String(left)) },
			{ path: 'rate_limiter', trace: `rate_limiter:${left === 9 ? 56 : 50}]` }
		);
	}
}

const NAMES: readonly string[] = [...legacyMethods.keys(), ...methods.keys()].sort();

/** Returns the response body as text. */
export const textOf = ({ body, plain }: Answer): string => plain ?? stringifyJson(body);
