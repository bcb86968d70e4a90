import { signPage } from '#lib/messages/pages/kdfSigning.ts';

/** Why nothing was signed, or no address listed. */
export interface Problem {
	what: string;
	safe: string;
	next: string;
	said?: string;
}

/** Reports that a safety control or a limit prevents it now. */
export const notNow = (sentence: string): Problem => ({
	what: sentence.endsWith('.') ? sentence : `${sentence}.`,
	...signPage.stopped
});
