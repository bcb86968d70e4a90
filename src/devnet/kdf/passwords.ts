import { createHash, timingSafeEqual } from 'node:crypto';

/** Number of wrong passwords after which an address is banned until the node restarts. */
const ATTEMPTS = 10;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Checks passwords and counts wrong ones by address; a correct one does not reset the count. */
export class PasswordGate {
	readonly #wanted: Buffer;
	readonly #wrong = new Map<string, number>();
	/** When true, every password is wrong, as if it had been changed in the configuration. */
	refusesAll = false;

	constructor(password: string) {
		this.#wanted = digest(password);
	}

	isBanned(peer: string): boolean {
		return (this.#wrong.get(peer) ?? 0) >= ATTEMPTS;
	}

	/** Returns null for a correct password, otherwise the number of attempts left. */
	check(password: string, peer: string): number | null {
		if (!this.refusesAll && timingSafeEqual(digest(password), this.#wanted)) return null;
		const wrong = (this.#wrong.get(peer) ?? 0) + 1;
		this.#wrong.set(peer, wrong);
		return ATTEMPTS - wrong;
	}

	/** Number of wrong passwords by address. */
	counts(): { [peer: string]: number } {
		return Object.fromEntries(this.#wrong);
	}

	clear(): void {
		this.#wrong.clear();
	}
}
