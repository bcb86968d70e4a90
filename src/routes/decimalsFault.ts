import { moveToken } from '#lib/messages/pages/tokenForms.ts';
import { shown } from '#lib/server/platform/http/readForm.ts';

/**
 * Returns the error of an amount that was typed under other decimals than the token has now: it would be
 * off by a factor of ten for each decimal. Null when the decimals are unchanged.
 * @param said the decimals that the page displayed; undefined when the form does not state them
 */
export const decimalsFault = (said: string | undefined, decimals: number): string | null =>
	said === undefined || said === String(decimals)
		? null
		: moveToken.decimalsChanged(said, decimals);

/** Fields of a form with a choice of token: the token and the decimals that it displayed. */
export const shownToken = { 'shown.tokenid': shown, 'shown.decimals': shown };

/**
 * The same for a form with a choice of token: without scripts it does not update when a token is selected,
 * and states no decimals, or those of another token. The returned form states the right ones, and is then
 * accepted.
 * @param unshown returns the error for that case
 */
export function chosenDecimalsFault(
	{
		'shown.tokenid': of,
		'shown.decimals': said
	}: { [field in keyof typeof shownToken]?: string | undefined },
	{ tokenid, decimals }: { tokenid: string; decimals: number },
	unshown: (decimals: number) => string
): string | null {
	const isSaid = of === tokenid && said !== undefined;
	if (isSaid || decimals === 0) return decimalsFault(isSaid ? said : undefined, decimals);
	return unshown(decimals);
}
