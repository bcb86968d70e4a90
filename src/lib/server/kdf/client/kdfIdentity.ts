import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import type { KdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import type { KdfDialect } from '#lib/rpc/kdf/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { KdfReply, KdfRequest } from './kdfTypes.ts';

const PROOF_METHOD = 'get_enabled_coins';
const PROOF_MS = 10_000;
const VERSION_MS = 5_000;

/** Result of `version`; a node of the interface document reports less, or does not know the method. */
interface Release {
	version: string | null;
	builtAt: string | null;
	/** The dialect that a release of this version uses. */
	dialect: KdfDialect;
}

/**
 * A call that each dialect answers differently and that changes nothing: an entry for a task that cannot
 * exist. A released node does not know the action type and refuses the request; a node of the interface
 * document knows it, but not the task.
 */
const SPELLING = {
	method: 'task::enable_bch::user_action',
	params: {
		task_id: new JsonNumber(String(Number.MAX_SAFE_INTEGER)),
		user_action: { action_type: 'HardwarePin', pin: '0' }
	}
} as const;

/** Returns the dialect that an answer to that call shows; null when it does not tell. */
function spellingOf(said: KdfAnswer | null): KdfDialect | null {
	if (said === null) return null;
	if (said.kind === 'result') return 'seed';
	switch (said.error.type) {
		case 'InvalidRequest':
			return 'kdf';
		case 'NoSuchTask':
		case 'Internal':
			return 'seed';
		default:
			return null;
	}
}

/** Reads the result of `version`. A release of KDF names its commit, and since 2.0 its build time. */
function releaseOf(said: KdfAnswer | null): Release {
	const facts = said?.kind === 'result' && isJsonObject(said.result) ? said.result : {};
	const { result, datetime } = facts;
	const version = typeof result === 'string' ? result : null;
	const builtAt = typeof datetime === 'string' ? datetime : null;
	const released = version !== null && (builtAt !== null || /_[0-9a-f]{7,}(?:_|$)/.test(version));
	return { version, builtAt, dialect: released ? 'kdf' : 'seed' };
}

const isSame = (one: Release, other: Release): boolean =>
	one.version === other.version && one.builtAt === other.builtAt;

/** Creates a request about the node itself. */
const question = (
	asked: Pick<KdfRequest, 'method' | 'params' | 'id' | 'timeoutMs'>
): KdfRequest => ({ ...asked, retry: true, priority: 'interactive', requestId: undefined });

/** Release and dialect of a node, requested when they are not known. No request of this class rejects. */
export class KdfIdentity {
	readonly #configured: KdfDialect | null;
	readonly #request: (call: KdfRequest) => Promise<KdfReply>;
	readonly #onOther: () => void;
	#introducing: Promise<void> | null = null;
	#release: Release | null = null;
	#spelling: KdfDialect | null = null;
	#spellingAsked = false;

	/**
	 * @param configured null when the node has to be asked
	 * @param request throws errors of `kdf` only
	 * @param onOther called when another release answers than before
	 */
	constructor(
		configured: KdfDialect | null,
		request: (call: KdfRequest) => Promise<KdfReply>,
		onOther: () => void
	) {
		this.#configured = configured;
		this.#request = request;
		this.#onOther = onOther;
	}

	get dialect(): KdfDialect {
		return this.#configured ?? this.#spelling ?? this.#release?.dialect ?? 'kdf';
	}

	get release(): Pick<Release, 'version' | 'builtAt'> {
		return this.#release ?? { version: null, builtAt: null };
	}

	get #wantsSpelling(): boolean {
		return this.#configured === null && this.#spelling === null && !this.#spellingAsked;
	}

	/** Forgets release and dialect: another release may answer from now on. */
	forget(): void {
		this.#release = null;
		this.#spelling = null;
		this.#spellingAsked = false;
	}

	/** Requests release and dialect when they are not known. */
	async introduced(): Promise<void> {
		if (this.#release === null || this.#wantsSpelling) await this.poll();
	}

	/** Requests the version now, and the dialect once. */
	poll(): Promise<void> {
		this.#introducing ??= this.#poll().finally(() => {
			this.#introducing = null;
		});
		return this.#introducing;
	}

	/** Returns a harmless call that needs the password. */
	proof(): KdfRequest {
		const params = this.dialect === 'kdf' ? null : {};
		return question({ method: PROOF_METHOD, params, id: 'own', timeoutMs: PROOF_MS });
	}

	/** Whether a call is answered at once: it is the proof itself, or only a call about a task. */
	isQuick({ method }: Pick<KdfRequest, 'method'>): boolean {
		return method === PROOF_METHOD || method.startsWith('task::');
	}

	/** Makes a harmless call with the password. */
	async prove(): Promise<void> {
		await this.#quietly(async () => {
			await this.#request(this.proof());
		});
	}

	#poll(): Promise<void> {
		return this.#quietly(async () => {
			const version = { method: 'version', params: {}, id: null, timeoutMs: VERSION_MS } as const;
			const release = releaseOf((await this.#request(question(version))).said);
			// Another release may have been started in its place without being noticed.
			if (this.#release !== null && !isSame(this.#release, release)) {
				this.forget();
				this.#onOther();
			}
			this.#release = release;
			if (!this.#wantsSpelling) return;
			const spelling = { ...SPELLING, id: 'own', timeoutMs: PROOF_MS } as const;
			this.#spelling = spellingOf((await this.#request(question(spelling))).said);
			this.#spellingAsked = true;
		});
	}

	async #quietly(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (!isAppError(error, 'kdf')) throw error;
		}
	}
}
