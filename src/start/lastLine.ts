/**
 * Handles uncaught errors of the process.
 *
 * A system error of one file, socket or pipe (it has a `syscall`) concerns only this one, and an unhandled
 * rejection has ended only its own work. Both are logged and the server continues: otherwise one missing file
 * or broken connection would stop it for all users. Any other exception has interrupted some function in an
 * unknown state, so the process shuts down properly and is restarted by its supervisor.
 */

interface LastLineParts {
	/** Emits the uncaught errors. */
	process: Pick<NodeJS.Process, 'on'>;
	onError: (error: unknown) => void;
	/** Shuts the process down. */
	stop: () => void;
}

/** Tells whether an error is a system error of a single file, socket or pipe. */
function isOfOneHandle(error: unknown): boolean {
	return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';
}

export function holdLastLine({ process, onError, stop }: LastLineParts): void {
	process.on('unhandledRejection', onError);
	process.on('uncaughtException', (error: unknown) => {
		onError(error);
		if (!isOfOneHandle(error)) stop();
	});
}
