import { moveToken } from '#lib/messages/pages/tokenForms.ts';

/**
 * What is wrong with an amount that was typed while the team saw its token with other decimals: it would mean ten times
 * as much, or as little, for each of them. Null when nothing is.
 * @param shown what its page showed; undefined where it does not say
 */
export const decimalsFault = (shown: string | undefined, decimals: number): string | null =>
	shown === undefined || shown === String(decimals)
		? null
		: moveToken.decimalsChanged(shown, decimals);
