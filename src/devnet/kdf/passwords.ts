import { createHash, timingSafeEqual } from 'node:crypto';

/** Wrong passwords after which an address is shut out until the node restarts. */
const ATTEMPTS = 10;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Looks at passwords and counts wrong ones for each address; a right one does not reset the count. */
export class PasswordGate {
	readonly #wanted: Buffer;
	readonly #wrong = new Map<string, number>();
	/** As if the configuration had another password now. */
	refusesAll = false;

	constructor(password: string) {
		this.#wanted = digest(password);
	}

	isBanned(peer: string): boolean {
		return (this.#wrong.get(peer) ?? 0) >= ATTEMPTS;
	}

	/** Null when the password is right, else how many attempts are left. */
	check(password: string, peer: string): number | null {
		if (!this.refusesAll && timingSafeEqual(digest(password), this.#wanted)) return null;
		const wrong = (this.#wrong.get(peer) ?? 0) + 1;
		this.#wrong.set(peer, wrong);
		return ATTEMPTS - wrong;
	}

	/** Addresses and their wrong passwords. */
	counts(): { [peer: string]: number } {
		return Object.fromEntries(this.#wrong);
	}

	clear(): void {
		this.#wrong.clear();
	}
}
