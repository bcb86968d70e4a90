import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { mayReach, type ListedPrivate } from '../../platform/net/ranges.ts';
import { readUrl } from '../../kdf/egress/target.ts';

const MOST_LETTERS = 500;

/**
 * Validates the URL of a webhook. Plain http is allowed only to private servers that the configuration lists
 * by this name or address. What a name resolves to is checked by the egress rules at each delivery.
 * @throws {AppError} `notice.url-invalid`, `notice.https-needed`
 */
export function checkWebhookUrl(typed: string, listed: readonly ListedPrivate[]): string {
	try {
		const { url, scheme, target } = readUrl(typed.slice(0, MOST_LETTERS + 1), ['https', 'http']);
		if (url.href.length > MOST_LETTERS) throw new AppError('notice.url-invalid');
		const isListed =
			listed.some((one) => one.kind === 'name' && mayReach(target, '127.0.0.1', [one])) ||
			mayReach(
				target,
				target.host,
				listed.filter((one) => one.kind === 'range')
			);
		if (scheme === 'http' && !isListed) throw new AppError('notice.https-needed');
		url.hash = '';
		return url.href;
	} catch (cause) {
		if (!isAppError(cause, 'egress')) throw cause;
		throw new AppError('notice.url-invalid', {}, { cause });
	}
}
