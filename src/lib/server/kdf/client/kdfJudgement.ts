import type { Delivery } from '#lib/messages/errors/daemon.ts';
import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import { passwordRefusal, type KdfAnswer, type KdfRefusal } from '#lib/rpc/kdf/envelope.ts';
import type { KdfSaid } from '../../chains/upstream/answers/read.ts';
import type { HttpAnswer } from '../../chains/upstream/requestHandler.ts';
import type { KdfState, KdfStop } from './kdfTypes.ts';

/** Returns the remaining attempts, as the node reports them in the data or the text of its refusal. */
function attemptsLeft({ data, message }: KdfRefusal): number | null {
	const told = isJsonObject(data) ? data['error_data'] : undefined;
	if (told instanceof JsonNumber) return told.toNumber();
	const found = /attempts left: (\d+)/.exec(message);
	return found === null ? null : Number(found[1]);
}

/** Codes of failures without further params. */
type PlainCode = 'kdf.not-kdf' | 'kdf.too-large' | 'kdf.local-only';

/** Meaning of an answer, for its call and for the health of the node. */
type Judgement =
	/** `said` is null for a large result, which is parsed only when it is needed. */
	| { kind: 'said'; said: KdfAnswer | null }
	| { kind: 'password-refused'; reason: KdfStop['reason']; attemptsLeft: number | null }
	/** Refused by the node, or by a proxy before the node checked the password. */
	| { kind: 'perhaps-refused' }
	/** The node answers, but not in the expected form. */
	| { kind: 'mismatch' }
	| {
			kind: 'failed';
			code: PlainCode;
			delivery: Delivery;
			/** The node answers, but not in the expected form. */
			isMismatch?: true;
			/** State of the node that follows from it. */
			state?: KdfState;
	  };

const noKdf: Judgement = {
	kind: 'failed',
	code: 'kdf.not-kdf',
	delivery: 'unknown',
	state: 'down'
};

/**
 * Interprets an answer by its content.
 * @param password of the call: none, one that the node has accepted before, or one that may be wrong
 */
export function judgeAnswer(
	found: KdfSaid,
	{ status, body }: HttpAnswer,
	password: 'none' | 'accepted' | 'untried'
): Judgement {
	switch (found.kind) {
		case 'excess':
			return { kind: 'failed', code: 'kdf.too-large', delivery: 'delivered', isMismatch: true };
		case 'not-json':
			if (status === 401 || status === 403) {
				// The node reports this with its own error, which a proxy may hide; or the proxy itself
				// refuses the call.
				if (password === 'untried') {
					return { kind: 'password-refused', reason: 'wrong', attemptsLeft: null };
				}
				return password === 'none' ? noKdf : { kind: 'perhaps-refused' };
			}
			// KDF: its HTTP library answers this when a handler ended without an answer.
			return status >= 500 && body.includes('aborted without responding')
				? { kind: 'failed', code: 'kdf.not-kdf', delivery: 'unknown' }
				: noKdf;
		case 'no-envelope':
			return { kind: 'mismatch' };
		case 'other-call':
			return noKdf;
		case 'large':
		case 'said':
	}
	const said = found.kind === 'large' ? null : found.said;
	if (said === null || said.kind === 'result') {
		return status >= 200 && status < 300 ? { kind: 'said', said } : noKdf;
	}
	const refusal = passwordRefusal(said.error);
	if (refusal === null) return { kind: 'said', said };
	if (refusal === 'elsewhere') {
		return { kind: 'failed', code: 'kdf.local-only', delivery: 'not-sent', state: 'elsewhere' };
	}
	return { kind: 'password-refused', reason: refusal, attemptsLeft: attemptsLeft(said.error) };
}
