import { AppError } from '#lib/server/platform/errors/appError.ts';

/**
 * Refuses options that only other subcommands take: a user who gave one relies on its effect.
 *
 * @param act the subcommand as typed, including the verb
 * @throws {AppError} `usage`
 */
export function ownOptions(act: string, given: object, taken: readonly string[]): void {
	const option = Object.keys(given).find((name) => !taken.includes(name));
	if (option !== undefined) throw new AppError('usage.option-of-another', { act, option });
}
