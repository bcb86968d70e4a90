import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { Faults } from '../daemon/fault.ts';
import type { Certificate } from '../electrum/certificate.ts';
import type { KdfAccess } from './access.ts';
import { alteredBody, type Alteration } from './altered.ts';
import { ActiveCoins } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { KdfContext } from './context.ts';
import { Device } from './device.ts';
import { Dispatcher, type Answer } from './dispatch.ts';
import { KdfHttp } from './http.ts';
import { KdfKeys } from './keys.ts';
import { PasswordGate } from './passwords.ts';
import type { KdfRules } from './rules.ts';
import { Sessions } from './sessions.ts';
import { Streams } from './streams.ts';
import { Tasks } from './tasks.ts';

interface TradingNodeOptions {
	access: KdfAccess;
	rules: KdfRules;
	entries: readonly CoinEntry[];
	/** Determines the keys and PIN of the hardware wallet. */
	seed: string;
	clock: () => number;
}

/** Milliseconds between the call of `stop` and the node's end. */
const STOP_AFTER_MS = 50;

/** The trading node of a devnet. Its coins and tasks do not survive a restart. */
export class TradingNode {
	readonly access: KdfAccess;
	readonly entries: readonly CoinEntry[];
	readonly faults = new Faults();
	readonly device: Device;
	readonly gate: PasswordGate;
	readonly http: KdfHttp;
	/** Certificate for HTTPS (`https: true` in its settings); null for plain HTTP. */
	certificate: Certificate | null = null;
	/** What it leaves out of its results, or replaces; null for nothing. */
	alteration: Alteration | null = null;
	/** Whether the proving keys of shielded coins exist on its disk. */
	hasZcashParams = true;
	readonly #options: TradingNodeOptions;
	#context: KdfContext;
	#dispatcher: Dispatcher;

	constructor(options: TradingNodeOptions) {
		const { access, rules, entries, seed } = options;
		this.#options = options;
		this.access = access;
		this.entries = entries;
		this.device = new Device(seed, !rules.seedForms);
		this.gate = new PasswordGate(access.password);
		this.#context = this.#fresh();
		this.#dispatcher = new Dispatcher(this.#context, this.gate);
		this.http = new KdfHttp({
			port: access.port,
			certificate: () => this.certificate,
			faults: this.faults,
			answer: (body, peer) => this.answer(body, peer),
			streams: () => (rules.seedForms ? null : this.#context.streams),
			methodLine: rules.build === '3.0.0' ? 247 : 244
		});
	}

	get context(): KdfContext {
		return this.#context;
	}

	#fresh(): KdfContext {
		const { access, rules, entries, clock } = this.#options;
		const streams = new Streams();
		const byTicker = new Map<string, CoinEntry>();
		for (const entry of entries) if (!byTicker.has(entry.coin)) byTicker.set(entry.coin, entry);
		return {
			rules,
			keys: new KdfKeys(access.passphrase, access.isHd),
			coins: new ActiveCoins(),
			tasks: new Tasks(rules, clock, streams),
			device: this.device,
			deviceReady: false,
			hasZcashParams: () => this.hasZcashParams,
			sessions: new Sessions(),
			streams,
			entry: (ticker) => byTicker.get(ticker),
			entryOfContract: (contract) =>
				entries.find(({ protocol }) => {
					const data = protocol?.protocol_data;
					return isJsonObject(data) && data['contract_address'] === contract;
				}),
			clock,
			stop: () => void setTimeout(() => void this.http.close(), STOP_AFTER_MS).unref()
		};
	}

	async answer(body: JsonValue, peer: string): Promise<Answer> {
		this.gate.refusesAll = this.faults.has('wrong-password');
		const answer = await this.#dispatcher.answer(body, peer);
		const { alteration } = this;
		return alteration === null
			? answer
			: { ...answer, body: alteredBody(body, answer.body, alteration) };
	}

	/** Restarts the node: no active coins, no tasks, no banned addresses. */
	async restart(): Promise<void> {
		await this.http.close();
		this.#forget();
		this.gate.clear();
		this.#context = this.#fresh();
		this.#dispatcher = new Dispatcher(this.#context, this.gate);
		await this.http.open();
	}

	#forget(): void {
		this.#context.tasks.dropAll();
		this.#context.coins.clear();
		this.#context.sessions.clear();
		this.#context.streams.clear();
	}

	async close(): Promise<void> {
		this.#forget();
		await this.http.close();
	}
}
