import { randomBytes } from 'node:crypto';
import { KeyTree, entropyToMnemonic, englishWords } from '#lib/chain/hdKey.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';

/** A session with a simulated signing application. */
interface Session {
	topic: string;
	pairingTopic: string;
	/** Unix seconds. */
	expiry: number;
	namespaces: JsonValue;
	keys: KeyTree;
}

const DAYS_7 = 7 * 86_400;

/** Sessions with remote signers: requested by the node, approved through the control API. */
export class Sessions {
	readonly #wanted = new Map<string, JsonValue>();
	readonly #open = new Map<string, Session>();

	/** Requests a connection and returns the pairing URL that the signer would scan. */
	want(namespaces: JsonValue): { url: string; pairingTopic: string } {
		const pairingTopic = randomBytes(32).toString('hex');
		this.#wanted.set(pairingTopic, namespaces);
		const key = randomBytes(32).toString('hex');
		return { url: `wc:${pairingTopic}@2?symKey=${key}&relay-protocol=irn`, pairingTopic };
	}

	/** Approves the oldest pending request as the signer; null when there is none. */
	agree(now: number): Session | null {
		const [first] = this.#wanted;
		if (!first) return null;
		const [pairingTopic, namespaces] = first;
		this.#wanted.delete(pairingTopic);
		const session: Session = {
			topic: randomBytes(32).toString('hex'),
			pairingTopic,
			expiry: now + DAYS_7,
			namespaces,
			keys: new KeyTree(entropyToMnemonic(randomBytes(16), englishWords))
		};
		this.#open.set(session.topic, session);
		return session;
	}

	get(topic: string): Session | undefined {
		return this.#open.get(topic);
	}

	all(): Session[] {
		return [...this.#open.values()];
	}

	end(topic: string): boolean {
		return this.#open.delete(topic);
	}

	clear(): void {
		this.#wanted.clear();
		this.#open.clear();
	}
}

export const sessionJson = ({ topic, pairingTopic, expiry, namespaces }: Session): JsonValue => ({
	topic,
	metadata: { name: 'Devnet signer', description: '', url: 'http://localhost', icons: [] },
	pairing_topic: pairingTopic,
	namespaces,
	expiry: int(expiry)
});
