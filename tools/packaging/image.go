package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// The media types of OCI images.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// blob is what an image refers to by its checksum.
type blob struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// image is the container image for the processors of Linux, as the archive of an OCI layout: the program in an otherwise empty
// image, as deploy/Dockerfile makes it. docker load, podman load and skopeo read it.
func (s *source) image(platforms []platform, programs map[platform][]byte) ([]byte, error) {
	var files []entry
	keep := func(kind string, content []byte) blob {
		digest := fmt.Sprintf("%x", sha256.Sum256(content))
		files = append(files, entry{"blobs/sha256/" + digest, content, false})
		return blob{MediaType: kind, Digest: "sha256:" + digest, Size: len(content)}
	}
	keepJSON := func(kind string, value any) (blob, error) {
		text, err := json.Marshal(value)
		return keep(kind, text), err
	}
	certificates, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		return nil, fmt.Errorf("the image carries the machine's root certificates: %w", err)
	}
	labels := map[string]string{"org.opencontainers.image.title": "fubini", "org.opencontainers.image.version": s.version,
		"org.opencontainers.image.revision": s.commit, "org.opencontainers.image.licenses": "Apache-2.0"}
	var manifests []blob
	for _, p := range platforms {
		if p.os != "linux" {
			continue
		}
		var plain bytes.Buffer
		content := []entry{{"etc/ssl/certs/ca-certificates.crt", certificates, false}, {"fubini", programs[p], true}}
		if err := writeTar(&plain, content, s.time, "data/"); err != nil {
			return nil, err
		}
		packed, err := gzipped(plain.Bytes())
		if err != nil {
			return nil, err
		}
		layer := keep(layerType, packed)
		config, err := keepJSON(configType, map[string]any{
			"created": s.time.Format(time.RFC3339), "architecture": p.arch, "os": p.os,
			"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(plain.Bytes()))}},
			"config": map[string]any{
				"User": "65532:65532", "WorkingDir": "/data", "Entrypoint": []string{"/fubini"},
				"Cmd":          []string{"serve", "/models/model.safetensors", "--addr", "0.0.0.0:8080"},
				"Env":          []string{"FUBINI_DB=sqlite:/data/fubini.db", "FUBINI_LOG=json", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"},
				"ExposedPorts": map[string]any{"8080/tcp": map[string]any{}}, "Volumes": map[string]any{"/data": map[string]any{}},
				"StopSignal": "SIGTERM", "Labels": labels,
			},
		})
		if err != nil {
			return nil, err
		}
		manifest, err := keepJSON(manifestType, map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []blob{layer}, "annotations": labels})
		if err != nil {
			return nil, err
		}
		manifest.Platform = map[string]string{"os": p.os, "architecture": p.arch}
		manifests = append(manifests, manifest)
	}
	index, err := keepJSON(indexType, map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": manifests})
	if err != nil {
		return nil, err
	}
	index.Annotations = map[string]string{"org.opencontainers.image.ref.name": s.version}
	top, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": []blob{index}})
	if err != nil {
		return nil, err
	}
	files = append(files, entry{"index.json", top, false}, entry{"oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`), false})
	var out bytes.Buffer
	err = writeTar(&out, sorted(files), s.time)
	return out.Bytes(), err
}
