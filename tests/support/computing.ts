/**
 * Milliseconds that this thread computes during some work. Unlike the time on a clock, they do not grow while
 * a busy machine runs other processes.
 */
export async function computing(work: () => Promise<unknown>): Promise<number> {
	const before = process.threadCpuUsage();
	await work();
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1_000;
}
