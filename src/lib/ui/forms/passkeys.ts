/** Passkeys in the browser. The library is loaded when it is needed. */
import type * as Library from '@simplewebauthn/browser';
import type {
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON
} from '@simplewebauthn/browser';

/** Why a passkey operation failed. */
export type PasskeyFault = 'unsupported' | 'cancelled' | 'known' | 'failed';

/** The browser's response as JSON, or the reason of its failure, or an error message of the server. */
type PasskeyResult = { answer: string } | { fault: PasskeyFault } | { message: string };

/** What a passkey is asked for. */
export type PasskeyPurpose = 'login' | 'factor' | 'confirm';

function faultOf(error: unknown): PasskeyFault {
	if (!(error instanceof Error)) return 'failed';
	if (error.name === 'InvalidStateError') return 'known';
	return error.name === 'NotAllowedError' || error.name === 'AbortError' ? 'cancelled' : 'failed';
}

async function answered(
	ask: (library: typeof Library) => Promise<unknown>
): Promise<PasskeyResult> {
	try {
		const library = await import('@simplewebauthn/browser');
		if (!library.browserSupportsWebAuthn()) return { fault: 'unsupported' };
		return { answer: JSON.stringify(await ask(library)) };
	} catch (error) {
		return { fault: faultOf(error) };
	}
}

/** Lets the browser create a passkey. */
export const makePasskey = (
	optionsJSON: PublicKeyCredentialCreationOptionsJSON
): Promise<PasskeyResult> => answered((library) => library.startRegistration({ optionsJSON }));

/** Fetches a challenge from the server, and lets the browser sign it with a passkey. */
export async function usePasskey(purpose: PasskeyPurpose): Promise<PasskeyResult> {
	const answer = await fetch('/login/passkey', {
		method: 'POST',
		headers: { accept: 'application/json' },
		body: new URLSearchParams({ purpose })
	}).catch(() => null);
	const told: unknown = await answer?.json().catch(() => null);
	if (answer?.ok !== true) {
		const message = told !== null && typeof told === 'object' && 'message' in told && told.message;
		return typeof message === 'string' ? { message } : { fault: 'failed' };
	}
	const optionsJSON = told as PublicKeyCredentialRequestOptionsJSON;
	return answered((library) => library.startAuthentication({ optionsJSON }));
}
