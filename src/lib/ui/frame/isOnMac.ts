/** Whether shortcuts use Cmd instead of Ctrl. Browser only. */
export const isOnMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
