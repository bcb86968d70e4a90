import { readMm2 } from '#lib/server/platform/config/mm2.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import type { HttpAnswer } from '../../chains/upstream/requestHandler.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { hideSecrets } from './hideSecrets.ts';

/** Shorter passwords are not searched for in answers: they would be found in ordinary text. */
const SHORTEST_SECRET = 6;

/** The password for calls to a node. */
export class KdfPassword {
	readonly #credentials: KdfConfig['credentials'];
	#password: string | null = null;

	constructor(credentials: KdfConfig['credentials']) {
		this.#credentials = credentials;
	}

	/**
	 * Returns the password. Until it is read again, answers are searched for the one from before.
	 * @param again whether its file is read once more
	 * @throws {AppError} `mm2` when the file cannot be read
	 */
	read(again: boolean): string {
		const credentials = this.#credentials;
		if (this.#password === null || again) {
			this.#password =
				credentials.kind === 'password' ? credentials.password : readMm2(credentials.file).password;
		}
		return this.#password;
	}

	/**
	 * Reads the password again. Returns whether another one than `sent` is configured now; false when it cannot be
	 * read.
	 */
	isNewerThan(sent: string | null): boolean {
		try {
			return this.read(true) !== sent;
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
