import { addressOfPubkey, decodeAddress } from '#lib/chain/address.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { ccAddress, tokenScript } from '#lib/chain/cryptocondition.ts';
import { tokenOutputScript } from '#lib/chain/tokenEffect.ts';

/** Identity of a daemon: its key and its address. */
interface Own {
	pubkey: string;
	port: string;
}

/** The keys of the recorder's daemons: one for each set of chains. */
const LAB_KEY = '02b2a9a55853efc73434e12a65ee60dc5edc92b602efc15ea031d7cbb5cdc4ea3b';
const MIGRATION_KEY = '03ae957b0d4ffa1158b2e251a251272d4352bc940a8e8b5124f97ea42c3cc07985';

/** First bytes of the data of the recorded non-fungible tokens. */
const NFT_DATA = [0x00, 0x01, 0xea, 0xf1, 0xf2, 0xf3, 0xf7];

/** The 32 bytes of a crypto-condition script that identify its keys and rules, after its fixed start. */
const fingerprint = (script: Uint8Array): string => bytesToHex(script.subarray(5, 37));

/** All texts that are derived from a key, in the same order for every key. */
function tracesOf(pubkey: string): string[] {
	const key = hexToBytes(pubkey);
	const address = addressOfPubkey(pubkey);
	return [
		pubkey,
		address,
		bytesToHex(decodeAddress(address).hash),
		ccAddress(tokenScript(key)),
		fingerprint(tokenScript(key)),
		...NFT_DATA.map((code) => fingerprint(tokenOutputScript(key, Uint8Array.of(code))))
	];
}

/** The recorded chains, their counterparts in devnet, and the recorder's key on each. */
const CHAINS: ReadonlyMap<string, { plays: string; key: string }> = new Map([
	['SRCTEST', { plays: 'ALPHA', key: LAB_KEY }],
	['DSTTEST', { plays: 'BETA', key: LAB_KEY }],
	['SELFTEST', { plays: 'SELF', key: LAB_KEY }],
	['FASTTEST', { plays: 'ALPHA', key: LAB_KEY }],
	['NODE2', { plays: 'ALPHA', key: LAB_KEY }],
	['KMD', { plays: 'KMD', key: LAB_KEY }],
	['TXSCLSRC', { plays: 'ALPHA', key: MIGRATION_KEY }],
	['TXSCLDST', { plays: 'BETA', key: MIGRATION_KEY }],
	['SELFIMP', { plays: 'SELF', key: MIGRATION_KEY }]
]);

/** The counterpart of a recorded chain, and the key of its recorded daemon. */
export function castOf(recorded: string): { plays: string; key: string } {
	const found = CHAINS.get(recorded);
	if (!found) throw new Error(`nobody plays ${recorded}`);
	return found;
}

const NAMES = /SRCTEST|DSTTEST|SELFTEST|FASTTEST|TXSCLSRC|TXSCLDST|SELFIMP/g;
const PORT = /(127\.0\.0\.1:)\d+\//g;

/**
 * The mapping from recorded values to those of this network: keys and names, and learned ids, hex texts and
 * addresses.
 */
export class Roles {
	readonly #learned: Map<string, string>;
	readonly #own: Own | null;
	readonly #recorder: string;
	readonly #recorded: readonly string[];
	readonly #traces: readonly string[];
	/** Cache of transcribed texts, used once nothing more is learned. */
	#settled: Map<string, string> | null = null;

	/** Without `own` every text maps to itself. */
	constructor(own: Own | null, learned: Map<string, string>, recorder = LAB_KEY) {
		this.#own = own;
		this.#recorder = recorder;
		this.#recorded = tracesOf(recorder);
		this.#traces = own ? tracesOf(own.pubkey) : this.#recorded;
		this.#learned = learned;
	}

	/** A copy that can learn without changing this mapping. */
	copy(): Roles {
		if (this.#settled) return this;
		return new Roles(this.#own, new Map(this.#learned), this.#recorder);
	}

	/** Stops learning. */
	settle(): void {
		this.#settled = new Map();
	}

	/** The counterpart of a recorded value; undefined while it is unknown. */
	of(recorded: string): string | undefined {
		return this.#learned.get(recorded);
	}

	learn(recorded: string, here: string): void {
		if (!this.#settled) this.#learned.set(recorded, here);
	}

	/** True for the recorder's own address. */
	isRecorder(recorded: unknown): boolean {
		return recorded === this.#recorded[1];
	}

	/** A recorded text with the names, keys and ids of this chain in it. */
	transcribe(recorded: string): string {
		const known = this.#settled?.get(recorded);
		if (known !== undefined) return known;
		const text = this.#transcribed(recorded);
		this.#settled?.set(recorded, text);
		return text;
	}

	#transcribed(recorded: string): string {
		const own = this.#own;
		if (!own) return recorded;
		let text = recorded
			.replace(NAMES, (name) => castOf(name).plays)
			.replace(PORT, (_all, host: string) => `${host}${own.port}/`);
		for (const [known, here] of this.#learned) {
			if (known.length === 64) text = text.replaceAll(known, here);
		}
		this.#recorded.forEach((trace, index) => {
			text = text.replaceAll(trace, this.#traces[index]!);
		});
		return text;
	}
}
