import { aboutContainers, aboutPods, type Policy } from './subject.ts';

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Kubernetes' Pod Security Standard "restricted", field by field, and "baseline" that it contains. */
export const RESTRICTED: readonly Policy[] = [
  aboutPods('A pod shares no namespace of its machine', ({ spec }) => [
    spec.hostNetwork && 'hostNetwork',
    spec.hostPID && 'hostPID',
    spec.hostIPC && 'hostIPC',
  ]),
  aboutContainers('A container is not privileged', ({ securityContext }) => [
    securityContext?.privileged && 'privileged',
  ]),
  aboutPods('A pod is no process of a Windows host', ({ spec }) => [
    spec.securityContext?.windowsOptions?.hostProcess && 'windowsOptions.hostProcess',
  ]),
  aboutPods('A pod has volumes of harmless kinds only', ({ spec }) =>
    (spec.volumes ?? []).map((volume) => {
      const kinds = Object.keys(volume).filter((field) => field !== 'name');
      return kinds.some((kind) => !VOLUMES.includes(kind)) && `volume ${volume.name} is a ${kinds.join(', ')}`;
    }),
  ),
  aboutContainers('A container takes no port of its machine', ({ ports }) =>
    (ports ?? []).map(({ hostPort }) => hostPort !== undefined && `hostPort ${hostPort}`),
  ),
  aboutContainers('A container drops every capability and adds none', ({ securityContext }) => [
    !securityContext?.capabilities?.drop?.includes('ALL') && 'ALL is not dropped',
    (securityContext?.capabilities?.add ?? []).length > 0 && 'capabilities are added',
  ]),
  aboutContainers('A container cannot gain privileges', ({ securityContext }) => [
    securityContext?.allowPrivilegeEscalation !== false && 'allowPrivilegeEscalation is not false',
  ]),
  aboutContainers('A container runs as somebody else than root, by number', ({ securityContext }, { spec }) => {
    const user = securityContext?.runAsUser ?? spec.securityContext?.runAsUser;
    return [
      (securityContext?.runAsNonRoot ?? spec.securityContext?.runAsNonRoot) !== true && 'runAsNonRoot is not true',
      securityContext?.runAsNonRoot === false && 'runAsNonRoot is false',
      (user === undefined || user === 0) && `runAsUser is ${user}`,
    ];
  }),
  aboutContainers("A container's system calls are filtered", ({ securityContext }, { spec }) => {
    const profile = (securityContext?.seccompProfile ?? spec.securityContext?.seccompProfile)?.type;
    return [profile !== 'RuntimeDefault' && profile !== 'Localhost' && `seccompProfile is ${profile}`];
  }),
  aboutContainers('A container sees /proc as containers do', ({ securityContext }) => [
    securityContext?.procMount !== undefined && securityContext.procMount !== 'Default' && 'procMount',
  ]),
  aboutContainers(
    'A container keeps the labels of SELinux and AppArmor that it is given',
    ({ securityContext }, { spec }) =>
      [securityContext, spec.securityContext].flatMap((context) => [
        (context?.seLinuxOptions?.user ?? context?.seLinuxOptions?.role) !== undefined && 'seLinuxOptions',
        context?.appArmorProfile?.type === 'Unconfined' && 'appArmorProfile is Unconfined',
      ]),
  ),
  aboutPods('A pod sets no kernel parameter', ({ spec }) => [
    (spec.securityContext?.sysctls ?? []).length > 0 && 'sysctls',
  ]),
];
