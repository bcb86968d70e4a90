import { moveToken } from '#lib/messages/pages/tokenForms.ts';
import { shown } from '#lib/server/platform/http/readForm.ts';

/**
 * What is wrong with an amount that was typed while the team saw its token with other decimals: it would mean ten times
 * as much, or as little, for each of them. Null when nothing is.
 * @param said what its page showed; undefined where it does not say
 */
export const decimalsFault = (said: string | undefined, decimals: number): string | null =>
	said === undefined || said === String(decimals)
		? null
		: moveToken.decimalsChanged(said, decimals);

/** What a form in which the token is chosen says of it: which one it showed, and by which decimals. */
export const shownToken = { 'shown.tokenid': shown, 'shown.decimals': shown };

/**
 * The same of a form in which the token is chosen: without scripts it does not learn which, and shows no decimals, or
 * those of another token. The form that comes back shows them, and is taken at its word.
 * @param unshown what to say then
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
