import { AppError } from '#lib/server/platform/errors/appError.ts';

/**
 * Refuses options that only other acts of a verb take: whoever gave one counts on what it says.
 *
 * @param act as it is typed, the verb before it
 * @throws {AppError} `usage`
 */
export function ownOptions(act: string, given: object, taken: readonly string[]): void {
	const option = Object.keys(given).find((name) => !taken.includes(name));
	if (option !== undefined) throw new AppError('usage.option-of-another', { act, option });
}
