import { readMm2 } from '#lib/server/platform/config/mm2.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import type { HttpAnswer } from '../../chains/daemon/requestHandler.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { hideSecrets } from './hideSecrets.ts';

/** Shorter passwords are not searched for in answers: they would be found in ordinary text. */
const SHORTEST_SECRET = 6;

/** The password for calls to a node. */
export class KdfPassword {
	readonly #credentials: KdfConfig['credentials'];
	#password: string | null = null;
	/** Whether the password is read again before the next call. Until then, answers are still searched for it. */
	#isOld = false;

	constructor(credentials: KdfConfig['credentials']) {
		this.#credentials = credentials;
	}

	/** Returns the password. @throws {AppError} `mm2` when the file with it cannot be read */
	read(): string {
		const credentials = this.#credentials;
		if (this.#password === null || this.#isOld) {
			this.#password =
				credentials.kind === 'password' ? credentials.password : readMm2(credentials.file).password;
			this.#isOld = false;
		}
		return this.#password;
	}

	/** Has the next call read the password again. */
	forget(): void {
		this.#isOld = true;
	}

	/**
	 * Reads the password again. Returns whether another one than `sent` is configured now; false when it cannot be
	 * read.
	 */
	isNewerThan(sent: string | null): boolean {
		this.forget();
		try {
			return this.read() !== sent;
		} catch (error) {
			if (!isAppError(error, 'mm2')) throw error;
			return false;
		}
	}

	/** Whether a text contains the password. */
	isIn(text: string): boolean {
		const credentials = this.#credentials;
		const secret = this.#password ?? (credentials.kind === 'password' ? credentials.password : '');
		return secret.length >= SHORTEST_SECRET && text.includes(secret);
	}

	/** Returns an answer with the password masked, in case the answering service repeats it. */
	redact(raw: HttpAnswer): HttpAnswer {
		const secret = this.#password;
		if (secret === null || secret.length < SHORTEST_SECRET) return raw;
		const spellings = [secret, JSON.stringify(secret).slice(1, -1)];
		if (!spellings.some((spelling) => raw.body.includes(spelling))) return raw;
		const text = hideSecrets(raw.body.toString('utf8'), [secret]);
		return { ...raw, body: Buffer.from(text, 'utf8') };
	}
}
