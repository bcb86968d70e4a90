import { within } from '../../platform/async/within.ts';
import { AppError } from '../../platform/errors/appError.ts';

/**
 * Returns the result of an exchange with a server that may take `ms` milliseconds.
 * @param server its name and port, for the message
 * @throws {AppError} `egress.timeout`; otherwise what the exchange throws
 */
export const inTime = <T>(exchange: Promise<T>, ms: number, server: string): Promise<T> =>
	within(exchange, ms, () => new AppError('egress.timeout', { server }));
